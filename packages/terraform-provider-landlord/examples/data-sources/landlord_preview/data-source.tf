data "landlord_preview" "orders" {
  cloud        = "aws"
  region       = "us-east-1"
  managed_tier = "standard"
  tier         = "small"
  storage      = { size = 200 }
}

output "price" {
  value = data.landlord_preview.orders.monthly_total_usd
}
