"""The result of an analysis as data: what every output is made from, and the JSON contract."""
