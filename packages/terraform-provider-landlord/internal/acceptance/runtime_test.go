package acceptance

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/landlord/terraform-provider-landlord/internal/api/request"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/client"
)

func TestAccAccessRule(t *testing.T) {
	config := func(cidr string) string {
		return fmt.Sprintf(`
			resource "landlord_access_rule" "it" {
				deployment_id = %s
				name          = "office"
				cidr_blocks   = [%q]
				rules         = { broker_tcp = true }
				valid_to      = "2099-01-01T01:00:00+01:00"
			}`, given("AWS"), cidr)
	}
	test := ofDeployment(
		"landlord_access_rule.it", config("203.0.113.0/24"), config("198.51.100.0/24"), values{"rules.broker_tcp": "true", "rules.broker_http": "false"},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment int64) ([]int64, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.AccessRulesList(deployment))
			if err != nil {
				return nil, err
			}
			return idsOf(answer.Body, func(view supervisorapi.AccessRuleView) int64 { return view.Id }), nil
		},
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment, id int64) (http.Header, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.AccessRulesDelete(deployment, id))
			if err != nil {
				return nil, err
			}
			return answer.Header, nil
		},
	)
	// An import has the spelling of the server, and the plan after it is empty.
	test.notImported = []string{"valid_to"}
	test.run(t)
}

// The plan refuses what the server would store in another way, and what the schema refuses.
func TestAccRefusals(t *testing.T) {
	rule := func(cidr, rules string) string {
		return fmt.Sprintf("resource \"landlord_access_rule\" \"it\" {\ndeployment_id = %s\nname = \"office\"\ncidr_blocks = [%q]\nrules = {%s}\n}", given("AWS"), cidr, rules)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: rule("203.0.113.1/24", "broker_tcp = true"), ExpectError: matching(`203\.0\.113\.1/32 or 203\.0\.113\.0/24`)},
			// The refusal of the server names the attribute.
			{Config: rule("203.0.113.0/24", ""), ExpectError: matching(`Landlord did not create the access rule[\s\S]*rules`)},
			{Config: "resource \"landlord_division\" \"it\" { name = \" x\" }", ExpectError: matching(`spaces at an end`)},
		},
	})
}

func TestAccBrokerConfig(t *testing.T) {
	config := func(connections int) string {
		return fmt.Sprintf(`
			resource "landlord_broker_config" "it" {
				deployment_id = %s
				values        = jsonencode({ mqtt = { max_connections = %d } })
			}`, given("AWS"), connections)
	}
	primary := func(ctx context.Context, api *client.Client, deployment int64) (*supervisorapi.ConfigView, *client.Server[request.Supervisor], error) {
		supervisor, err := api.Supervisor(ctx, deployment)
		if err != nil {
			return nil, nil, err
		}
		answer, err := client.Call(ctx, supervisor, supervisorapi.ConfigsGetPrimary(deployment))
		if err != nil {
			return nil, nil, err
		}
		return answer.Body, supervisor, nil
	}
	lifecycle{
		address:  "landlord_broker_config.it",
		config:   config(100),
		expected: values{"values": `{"mqtt":{"max_connections":100}}`},
		changed:  config(200),
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			_, supervisor, err := primary(ctx, api, state.id("deployment_id"))
			if err != nil {
				return err
			}
			isActive := true
			other := map[string]any{"mqtt": map[string]any{"max_connections": 7}}
			_, err = client.Call(ctx, supervisor, supervisorapi.ConfigsCreate(state.id("deployment_id"), supervisorapi.CreateConfigDto{Values: other, Activate: &isActive}))
			return err
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			active, _, err := primary(ctx, api, state.id("deployment_id"))
			if err == nil && len(active.Values) == 0 {
				return client.NotFound("every key has its default")
			}
			return err
		},
		importID: []string{"deployment_id"},
	}.run(t)
}

func connectors(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment int64) ([]int64, error) {
	answer, err := client.Call(ctx, supervisor, supervisorapi.ConnectorsList(deployment))
	if err != nil {
		return nil, err
	}
	return idsOf(answer.Body, func(view supervisorapi.ConnectorInstanceView) int64 { return view.Id }), nil
}

func TestAccConnector(t *testing.T) {
	config := func(name string) string {
		return fmt.Sprintf(`
			resource "landlord_connector" "it" {
				deployment_id  = %s
				connector_type = "sink"
				connector_key  = "stdout"
				instance_key   = "printed"
				instance_name  = %q
			}`, given("AWS"), name)
	}
	ofDeployment(
		"landlord_connector.it", config("Printed"), config("Printed again"), values{"instance_key": "printed"}, connectors,
		func(ctx context.Context, supervisor *client.Server[request.Supervisor], deployment, id int64) (http.Header, error) {
			answer, err := client.Call(ctx, supervisor, supervisorapi.ConnectorsDelete(deployment, id))
			if err != nil {
				return nil, err
			}
			return answer.Header, nil
		},
	).run(t)
}

// connectorConfig is a configuration of a sink with a secret header.
func connectorConfig(key, url, secret string) string {
	return fmt.Sprintf(`
		resource "landlord_connector" "of" {
			deployment_id  = %s
			connector_type = "sink"
			connector_key  = "http"
			instance_key   = %q
		}
		resource "landlord_connector_config" "it" {
			deployment_id  = landlord_connector.of.deployment_id
			connector_type = landlord_connector.of.connector_type
			connector_key  = landlord_connector.of.connector_key
			name           = landlord_connector.of.instance_key
			values = jsonencode({
				enabled       = true
				streams       = [{ stream = "orders", topics = ["new"], schema = "json" }]
				plugin_config = { url = %q }
			})
			%s
		}`, given("AWS"), key, url, secret)
}

func activeConnectorConfig(ctx context.Context, api *client.Client, state values) (*supervisorapi.ConfigView, *client.Server[request.Supervisor], error) {
	supervisor, err := api.Supervisor(ctx, state.id("deployment_id"))
	if err != nil {
		return nil, nil, err
	}
	name := text(state["name"])
	answer, err := client.Call(ctx, supervisor, supervisorapi.ConnectorConfigsGetPrimary(state.id("deployment_id"), "sink", "http", name))
	if err != nil {
		return nil, nil, err
	}
	return answer.Body, supervisor, nil
}

func TestAccConnectorConfig(t *testing.T) {
	lifecycle{
		address:  "landlord_connector_config.it",
		config:   connectorConfig("hook", "https://service.example/hook", ""),
		changed:  connectorConfig("hook", "https://service.example/other", ""),
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			active, supervisor, err := activeConnectorConfig(ctx, api, state)
			if err != nil {
				return err
			}
			isActive := true
			other := active.Values
			other["enabled"] = false
			answer, err := client.Call(ctx, supervisor, supervisorapi.ConnectorConfigsCreate(state.id("deployment_id"), "sink", "http", supervisorapi.CreateConnectorConfigDto{Name: text("hook"), Values: other, Activate: &isActive}))
			if err != nil {
				return err
			}
			return api.WaitForHeader(ctx, answer.Header)
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			_, _, err := activeConnectorConfig(ctx, api, state)
			return err
		},
		importID: []string{"deployment_id", "connector_type", "connector_key", "name"},
	}.run(t)
}

// A configuration that the connector refuses does not stay active, so the next plan shows it again.
func TestAccConnectorConfigRefused(t *testing.T) {
	config := func(transforms string) string {
		return fmt.Sprintf(`
			resource "landlord_connector" "of" {
				deployment_id  = %s
				connector_type = "sink"
				connector_key  = "http"
				instance_key   = "refused"
			}
			resource "landlord_connector_config" "it" {
				deployment_id  = landlord_connector.of.deployment_id
				connector_type = landlord_connector.of.connector_type
				connector_key  = landlord_connector.of.connector_key
				name           = landlord_connector.of.instance_key
				values = jsonencode({
					enabled       = true
					streams       = [{ stream = "orders", topics = ["new"], schema = "json" }]
					plugin_config = { url = "https://service.example/hook" }
					transforms    = %s
				})
			}`, given("AWS"), transforms)
	}
	refused := `{ add_fields = { enabled = true, fields = [{ key = "at", value = { computed = "sunrise" } }] } }`
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{
			{Config: config("{}")},
			{Config: config(refused), ExpectError: matching(`Landlord did not update the connector config`)},
			{Config: config(refused), PlanOnly: true, ExpectNonEmptyPlan: true},
			{Config: config("{}"), PlanOnly: true},
		},
	})
}

// A secret is not in the values, and an import takes it from the configuration.
func TestAccConnectorConfigWithSecret(t *testing.T) {
	secret := func(value string) string {
		return fmt.Sprintf(`secret_values = jsonencode({ plugin_config = { headers = { authorization = %q } } })`, value)
	}
	lifecycle{
		address:  "landlord_connector_config.it",
		config:   connectorConfig("secret_hook", "https://service.example/hook", secret("Bearer one")),
		changed:  connectorConfig("secret_hook", "https://service.example/hook", secret("Bearer two")),
		changeBy: plancheck.ResourceActionUpdate,
		exists: func(ctx context.Context, api *client.Client, state values) error {
			_, _, err := activeConnectorConfig(ctx, api, state)
			return err
		},
		importID:    []string{"deployment_id", "connector_type", "connector_key", "name"},
		notImported: []string{"secret_values"},
		isPartial:   true,
	}.run(t)
}

func TestAccBackupSchedule(t *testing.T) {
	config := func(when string) string {
		return fmt.Sprintf("resource \"landlord_backup_schedule\" \"it\" {\ndeployment_id = %s\nkeep = 2\n%s\n}", given("AWS"), when)
	}
	schedule := func(ctx context.Context, api *client.Client, state values) (*client.Server[request.Supervisor], error) {
		return api.Supervisor(ctx, state.id("deployment_id"))
	}
	lifecycle{
		address:  "landlord_backup_schedule.it",
		config:   config(`cron = "0 3 * * *"`),
		expected: values{"status": "active", "keep": "2"},
		changed:  config(`every_hours = 12`),
		changeBy: plancheck.ResourceActionUpdate,
		drift: func(ctx context.Context, api *client.Client, state values) error {
			supervisor, err := schedule(ctx, api, state)
			if err != nil {
				return err
			}
			body := supervisorapi.BackupScheduleDto{Keep: 1}
			body.Cron.Set("30 4 * * *")
			_, err = client.Call(ctx, supervisor, supervisorapi.BackupSchedulesPut(state.id("deployment_id"), body))
			return err
		},
		remove: func(ctx context.Context, api *client.Client, state values) error {
			supervisor, err := schedule(ctx, api, state)
			if err != nil {
				return err
			}
			_, err = client.Call(ctx, supervisor, supervisorapi.BackupSchedulesDelete(state.id("deployment_id")))
			return err
		},
		exists: func(ctx context.Context, api *client.Client, state values) error {
			supervisor, err := schedule(ctx, api, state)
			if err != nil {
				return err
			}
			_, err = client.Call(ctx, supervisor, supervisorapi.BackupSchedulesGet(state.id("deployment_id")))
			return err
		},
		importID: []string{"deployment_id"},
	}.run(t)
}

// Terraform changes several parts of a deployment at a time. Operations that exclude each other wait for each other.
func TestAccParallelChanges(t *testing.T) {
	config := fmt.Sprintf(`
		resource "landlord_broker_config" "it" {
			deployment_id = %[1]s
			values        = jsonencode({ mqtt = { max_connections = 50 } })
		}
		resource "landlord_connector" "it" {
			count          = 3
			deployment_id  = %[1]s
			connector_type = "sink"
			connector_key  = "stdout"
			instance_key   = "at_once_${count.index}"
		}
		resource "landlord_vpc_peering" "it" {
			deployment_id = %[1]s
			name          = "at once"
			peer_vpc_id   = "vpc-0123456789abcdef0"
			peer_owner_id = "123456789012"
			peer_vpc_cidr = "172.29.0.0/16"
		}
		resource "landlord_access_rule" "it" {
			deployment_id = %[1]s
			name          = "at once"
			cidr_blocks   = ["203.0.113.0/24"]
			rules         = { broker_tcp = true }
		}`, given("AWS"))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps:                    []resource.TestStep{{Config: config}, {Config: config, PlanOnly: true}},
	})
}
