resource "landlord_backup_schedule" "orders" {
  deployment_id = landlord_deployment.orders.id
  cron          = "0 3 * * *"
  keep          = 3
}
