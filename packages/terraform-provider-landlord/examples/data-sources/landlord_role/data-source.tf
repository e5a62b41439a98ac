data "landlord_role" "viewer" {
  name = "viewer"
}
