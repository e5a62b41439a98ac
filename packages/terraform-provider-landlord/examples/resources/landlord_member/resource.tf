data "landlord_role" "reader" {
  name = "viewer"
}

resource "landlord_member" "ada" {
  email = "ada@example.com"
  roles = [data.landlord_role.reader.id]
}
