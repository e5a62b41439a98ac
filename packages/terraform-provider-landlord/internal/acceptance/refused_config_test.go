package acceptance

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// A configuration that the first node cannot start with does not stay active, so the next plan shows it again.
func TestAccBrokerConfigRefused(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	config := func(isEnabled bool) string {
		return fmt.Sprintf(`
			resource "landlord_broker_config" "it" {
				deployment_id = %s
				values        = jsonencode({ websocket = { enabled = %t } })
			}`, given("AWS"), isEnabled)
	}
	address := websocketOfFirstNode(t)
	var other net.Listener
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: config(false)},
			{
				PreConfig: func() {
					// Another process uses the port. No validation of the values can detect this.
					var err error
					if other, err = net.Listen("tcp", address); err != nil {
						t.Fatal(err)
					}
				},
				Config:      config(true),
				ExpectError: matching(`Landlord did not update the broker config`),
			},
			{Config: config(true), PlanOnly: true, ExpectNonEmptyPlan: true},
			{PreConfig: func() { other.Close() }, Config: config(false), PlanOnly: true},
		},
	})
}

func websocketOfFirstNode(t *testing.T) string {
	t.Helper()
	var id int64
	if _, err := fmt.Sscan(given("AWS"), &id); err != nil {
		t.Fatal(err)
	}
	place, err := apiOf(t).Place(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodGet, fmt.Sprintf("%s/deployments/%d", place.SupervisorURL, id), nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("ld-api-key", os.Getenv("LANDLORD_API_KEY"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var detail struct {
		Nodes []struct {
			Role      string
			Endpoints struct{ Websocket string }
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&detail); err != nil {
		t.Fatal(err)
	}
	for _, node := range detail.Nodes {
		if node.Role == "leader" && node.Endpoints.Websocket != "" {
			return node.Endpoints.Websocket
		}
	}
	t.Fatal("no node has an address for WebSocket")
	return ""
}
