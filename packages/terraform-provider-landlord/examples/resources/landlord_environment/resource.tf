resource "landlord_environment" "production" {
  division_id = landlord_division.payments.id
  name        = "production"
  protected   = true
}
