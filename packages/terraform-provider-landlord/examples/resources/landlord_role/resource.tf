resource "landlord_role" "operators" {
  name = "Operators"
  permissions = {
    environment = ["deployment:read"]
    divisions = {
      (landlord_division.payments.id) = { environment = ["deployment:manage"] }
    }
  }
}
