"""Outside services and local models: one SDK a file, failures as Transient or Permanent."""
