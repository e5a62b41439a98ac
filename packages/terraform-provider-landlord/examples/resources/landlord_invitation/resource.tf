data "landlord_role" "viewer" {
  name = "viewer"
}

resource "landlord_invitation" "ada" {
  email       = "ada@example.com"
  roles       = [data.landlord_role.viewer.id]
  division_id = landlord_division.payments.id
}
