resource "landlord_byoc_deployment" "ours" {
  division_id    = landlord_division.payments.id
  environment_id = landlord_environment.production.id
  name           = "ours"
  cloud          = "aws"
  region         = "eu-west-1"
  tier           = "small"
  cluster        = "cluster"
  aws = {
    account_id   = landlord_cloud_account.ours.account_id
    identity_arn = landlord_cloud_account.ours.settings.aws.identity_arn
    external_id  = landlord_cloud_account.ours.settings.aws.external_id
    vpc_id       = landlord_cloud_account.ours.settings.aws.vpc_id
    vpc_cidr     = landlord_cloud_account.ours.settings.aws.vpc_cidr
  }
}
