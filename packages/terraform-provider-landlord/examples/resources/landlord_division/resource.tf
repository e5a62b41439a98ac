resource "landlord_division" "payments" {
  name        = "Payments"
  description = "Everything about payments"
  email       = "payments@example.com"
}
