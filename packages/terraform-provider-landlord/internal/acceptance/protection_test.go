package acceptance

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

func protected(name string, isProtected bool) string {
	return fmt.Sprintf("resource \"landlord_division\" \"it\" {\nname = %q\nprotected = %t\n}", name, isProtected)
}

// A protected resource is destroyed only after its protection ends.
func TestAccProtection(t *testing.T) {
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: protected("Protected", true)},
			{Config: protected("Protected", true), Destroy: true, ExpectError: matching(`protection_code_required[\s\S]*protected = false`)},
			{Config: protected("Protected", false)},
		},
	})
}

// A protected resource is destroyed with the code that Landlord mails.
func TestAccProtectionCode(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	api := apiOf(t)
	var division values
	t.Setenv("LANDLORD_PROTECTION_CODE", "")
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: protected("Behind a code", true), Check: func(state *terraform.State) error {
				division = state.RootModule().Resources["landlord_division.it"].Primary.Attributes
				return nil
			}},
			{
				PreConfig: func() { t.Setenv("LANDLORD_PROTECTION_CODE", mailedCode(t, api, division)) },
				Config:    protected("Behind a code", true),
				Destroy:   true,
			},
		},
		CheckDestroy: func(*terraform.State) error {
			if err := divisionExists(context.Background(), api, division); !client.IsNotFound(err) {
				return fmt.Errorf("the division still exists: %v", err)
			}
			return nil
		},
	})
}

// mailedCode requests a code for the deletion of the division, and reads the code in the mail.
func mailedCode(t *testing.T, api *client.Client, division values) string {
	t.Helper()
	before := mails(t)
	body := fmt.Sprintf(`{"action": {"action_type": "delete_division", "payload": {"tenant_id": %d, "division_id": %s}}}`, api.TenantID, division["id"])
	address := fmt.Sprintf("%s/tenants/%d/request_code", os.Getenv("LANDLORD_URL"), api.TenantID)
	request, err := http.NewRequest(http.MethodPut, address, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("ld-api-key", os.Getenv("LANDLORD_API_KEY"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusNoContent {
		t.Fatalf("the request for a code is answered with %s", answer.Status)
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		for _, file := range mails(t) {
			if slices.Contains(before, file) {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if found := matching(`(?m)^([A-Z2-9]{8})\r?$`).FindSubmatch(text); found != nil {
				return string(found[1])
			}
		}
	}
	t.Fatal("no mail with a code has come")
	return ""
}

func mails(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(given("MAILS"), "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
