"""The laboratory: whole campaigns played by robots, many of them, and what can be said of them.

Records go in, tables and a page come out; files of campaigns and their secrets are the desk's. All dice come from seeds
(`experiment.dice_secret`), so no function here is ever handed the secret of a real campaign.
"""
