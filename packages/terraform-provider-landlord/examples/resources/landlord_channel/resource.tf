resource "landlord_channel" "on_call" {
  channel     = "webhook"
  name        = "on call"
  destination = "https://hooks.example.com/landlord"
  settings    = { webhook = { headers = { "x-team" = "payments" } } }
}

# A channel of a division receives events of this division only.
resource "landlord_channel" "payments" {
  division_id = landlord_division.payments.id
  channel     = "email"
  name        = "payments"
  destination = "payments@example.com"
}
