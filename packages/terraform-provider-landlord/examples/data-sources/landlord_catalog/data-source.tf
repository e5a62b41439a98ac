data "landlord_catalog" "virginia" {
  cloud  = "aws"
  region = "us-east-1"
}

output "sizes" {
  value = [for tier in data.landlord_catalog.virginia.tiers : tier.key if tier.available]
}
