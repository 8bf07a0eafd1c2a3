"""Renderers: findings in, text out. They decide nothing."""
