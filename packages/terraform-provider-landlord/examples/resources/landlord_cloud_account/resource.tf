resource "landlord_cloud_account" "ours" {
  cloud      = "aws"
  name       = "Our account"
  account_id = "123456789012"
  region     = "eu-west-1"
  settings = {
    aws = {
      identity_arn = "arn:aws:iam::123456789012:role/landlord"
      external_id  = "the external id of byoc/setup"
      vpc_id       = "vpc-0123456789abcdef0"
      vpc_cidr     = "172.20.0.0/16"
    }
  }
}
