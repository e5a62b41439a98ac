data "landlord_role" "guest" {
  name = "viewer"
}

resource "landlord_invitation" "ada" {
  email       = "ada@example.com"
  roles       = [data.landlord_role.guest.id]
  division_id = landlord_division.payments.id
}
