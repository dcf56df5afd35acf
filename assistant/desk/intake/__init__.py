"""What is handed in: orders, answers, results and dice in; rows in the campaign out, and findings judged beforehand."""
