# The id of the deployment.
terraform import landlord_backup_schedule.orders 3
