// Package acceptance tests each resource and data source by a real terraform or tofu against a real installation. Without
// TF_ACC the tests are skipped. test/e2e/clients/terraform.proof.ts starts an installation and runs them.
package acceptance

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/provider"
)

var factories = map[string]func() (tfprotov6.ProviderServer, error){
	"landlord": providerserver.NewProtocol6WithError(provider.New("test")()),
}

// values are the attributes of a resource in the state, as texts.
type values map[string]string

func (v values) id(name string) int64 {
	id, _ := strconv.ParseInt(v[name], 10, 64)
	return id
}

// lifecycle takes a resource through its whole life.
type lifecycle struct {
	// address is that of the resource in the configurations.
	address string
	// config creates the resource.
	config string
	// expected are some attributes after the creation.
	expected values
	// changed is a configuration with other values. Empty: there is none.
	changed string
	// changeBy is what the plan does for the changed configuration.
	changeBy plancheck.ResourceActionType
	// drift changes the resource by the API. Nil: the API cannot change the resource.
	drift func(ctx context.Context, api *client.Client, state values) error
	// remove deletes the resource by the API. Nil: this test does not prove that the plan notices.
	remove func(ctx context.Context, api *client.Client, state values) error
	// exists returns an error for which client.IsNotFound is true after the destruction.
	exists func(ctx context.Context, api *client.Client, state values) error
	// importID are the attributes of the id of an import.
	importID []string
	// notImported are the attributes that an import cannot know.
	notImported []string
	// isPartial is true if the plan after an import cannot be empty, because the API hides a part of the configuration.
	isPartial bool
}

func (l lifecycle) run(t *testing.T) {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	api := apiOf(t)
	last := values{}
	remember := func(state *terraform.State) error {
		found := state.RootModule().Resources[l.address]
		if found == nil {
			return fmt.Errorf("the state has no %s", l.address)
		}
		last = maps.Clone(found.Primary.Attributes)
		return nil
	}
	outside := func(change func(context.Context, *client.Client, values) error) func() {
		return func() {
			if err := change(t.Context(), api, last); err != nil {
				t.Fatal(err)
			}
		}
	}
	id := func(*terraform.State) (string, error) {
		parts := make([]string, len(l.importID))
		for index, name := range l.importID {
			parts[index] = last[name]
		}
		return strings.Join(parts, "/"), nil
	}
	action := func(kind plancheck.ResourceActionType) resource.ConfigPlanChecks {
		return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(l.address, kind)}}
	}

	checks := []resource.TestCheckFunc{remember}
	for name, value := range l.expected {
		checks = append(checks, resource.TestCheckResourceAttr(l.address, name, value))
	}
	steps := []resource.TestStep{
		{Config: l.config, Check: resource.ComposeAggregateTestCheckFunc(checks...), ConfigPlanChecks: action(plancheck.ResourceActionCreate)},
		{Config: l.config, PlanOnly: true},
		{ResourceName: l.address, ImportState: true, ImportStateIdFunc: id, ImportStateVerify: true, ImportStateVerifyIdentifierAttribute: l.importID[len(l.importID)-1], ImportStateVerifyIgnore: l.notImported},
	}
	if !l.isPartial {
		// An import block fails if the plan after the import changes anything.
		steps = append(steps, resource.TestStep{ResourceName: l.address, ImportState: true, ImportStateIdFunc: id, ImportStateKind: resource.ImportBlockWithID})
	}
	if l.drift != nil {
		steps = append(steps, resource.TestStep{PreConfig: outside(l.drift), Config: l.config, Check: remember, ConfigPlanChecks: action(plancheck.ResourceActionUpdate)})
	}
	if l.remove != nil {
		steps = append(steps, resource.TestStep{PreConfig: outside(l.remove), Config: l.config, Check: remember, ConfigPlanChecks: action(plancheck.ResourceActionCreate)})
	}
	if l.changed != "" {
		steps = append(steps, resource.TestStep{Config: l.changed, Check: remember, ConfigPlanChecks: action(l.changeBy)})
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps:                    steps,
		CheckDestroy: func(*terraform.State) error {
			err := l.exists(context.Background(), api, last)
			if err == nil {
				return fmt.Errorf("%s still exists", l.address)
			}
			if !client.IsNotFound(err) {
				return err
			}
			return nil
		},
	})
}

// apiOf returns a client for changes outside of Terraform.
func apiOf(t *testing.T) *client.Client {
	t.Helper()
	tenant, err := strconv.ParseInt(os.Getenv("LANDLORD_TENANT_ID"), 10, 64)
	if err != nil {
		t.Fatal("LANDLORD_TENANT_ID: ", err)
	}
	api, err := client.New(t.Context(), client.Settings{URL: os.Getenv("LANDLORD_URL"), APIKey: os.Getenv("LANDLORD_API_KEY"), TenantID: tenant, UserAgent: "acceptance"})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// given returns what the test bench has prepared, such as the id of a deployment.
func given(name string) string {
	return os.Getenv("LANDLORD_TEST_" + name)
}
