"""The post: a campaign in; mails to its clubs out, each once, reminders, and the public pages as a site."""
