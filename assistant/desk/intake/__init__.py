"""What is handed in: orders, answers, results and dice, put into the campaign and judged beforehand."""
