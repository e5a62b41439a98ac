terraform {
  required_providers {
    landlord = { source = "landlord/landlord" }
  }
}

# The key comes from LANDLORD_API_KEY.
provider "landlord" {
  url = "https://landlord.example.com"
}
