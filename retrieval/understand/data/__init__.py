"""Labelled lines and measured figures that ship with the project."""
