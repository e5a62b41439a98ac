data "landlord_role" "viewer" {
  name = "viewer"
}

resource "landlord_member" "ada" {
  email = "ada@example.com"
  roles = [data.landlord_role.viewer.id]
}
