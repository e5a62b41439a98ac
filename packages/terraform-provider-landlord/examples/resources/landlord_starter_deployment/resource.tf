resource "landlord_starter_deployment" "trial" {
  division_id      = landlord_division.payments.id
  environment_name = "sandbox"
  name             = "trial"
  cloud            = "aws"
  region           = "us-east-1"
}
