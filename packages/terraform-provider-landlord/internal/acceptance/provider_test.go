package acceptance

import (
	"fmt"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// The configuration goes before the environment, and the tenant is the only one of the key.
func TestAccProviderConfiguration(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	url, key := os.Getenv("LANDLORD_URL"), os.Getenv("LANDLORD_API_KEY")
	for _, name := range []string{"LANDLORD_URL", "LANDLORD_API_KEY", "LANDLORD_TENANT_ID"} {
		t.Setenv(name, "")
	}
	config := func(members string) string {
		return fmt.Sprintf("provider \"landlord\" {\n%s\n}\ndata \"landlord_catalog\" \"it\" {}\n", members)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: config(""), ExpectError: matching(`The address of Landlord is missing[\s\S]*The API key is missing`)},
			{Config: config(fmt.Sprintf("url = %q\napi_key = \"ld_wrong\"", url)), ExpectError: matching(`unauthenticated`)},
			{Config: config(fmt.Sprintf("url = \"landlord\"\napi_key = %q", key)), ExpectError: matching(`is not one of http or https`)},
			{
				Config: config(fmt.Sprintf("url = \"%s/\"\napi_key = %q", url, key)),
				Check:  resource.TestCheckTypeSetElemNestedAttrs("data.landlord_catalog.it", "clouds.*", map[string]string{"key": "aws"}),
			},
		},
	})
}
