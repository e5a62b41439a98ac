// Package runtime has the resources of a running deployment: access rules, configurations, connectors and schedules of backups.
package runtime

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/supervisorapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/landlord/terraform-provider-landlord/internal/client"
	"github.com/landlord/terraform-provider-landlord/internal/crud"
)

type accessRule struct {
	ID           types.Int64       `tfsdk:"id"`
	DeploymentID types.Int64       `tfsdk:"deployment_id"`
	Name         types.String      `tfsdk:"name"`
	CidrBlocks   types.Set         `tfsdk:"cidr_blocks"`
	Rules        *ruleFlags        `tfsdk:"rules"`
	ValidTo      timetypes.RFC3339 `tfsdk:"valid_to"`
	Remarks      types.String      `tfsdk:"remarks"`
	CreatedAt    types.String      `tfsdk:"created_at"`
}

type ruleFlags struct {
	BrokerTCP       types.Bool `tfsdk:"broker_tcp"`
	BrokerHTTP      types.Bool `tfsdk:"broker_http"`
	BrokerWebsocket types.Bool `tfsdk:"broker_websocket"`
	BrokerUDP       types.Bool `tfsdk:"broker_udp"`
}

// NewAccessRule is the resource landlord_access_rule.
var NewAccessRule = crud.New(crud.Actions[accessRule]{
	Name: "access_rule",
	Schema: func(context.Context) schema.Schema {
		return schema.Schema{
			MarkdownDescription: "A rule that lets clients of some networks connect to a deployment. Every change replaces the rule, because the API cannot change rules.",
			Attributes: map[string]schema.Attribute{
				"id":            attribute.ID("AccessRuleView.id"),
				"deployment_id": attribute.Int("path.deployment_id", attribute.RequiredFixed),
				"name":          attribute.String("CreateAccessRuleDto.name", attribute.RequiredFixed, attribute.Trimmed()),
				"cidr_blocks":   attribute.Texts("CreateAccessRuleDto.cidr_blocks", attribute.RequiredFixed, setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(attribute.Network())),
				"rules": attribute.Object("CreateAccessRuleDto.rules", attribute.RequiredFixed, map[string]schema.Attribute{
					"broker_tcp":       attribute.Flag("RuleFlagsDto.broker_tcp", false, false),
					"broker_http":      attribute.Flag("RuleFlagsDto.broker_http", false, false),
					"broker_websocket": attribute.Flag("RuleFlagsDto.broker_websocket", false, false),
					"broker_udp":       attribute.Flag("RuleFlagsDto.broker_udp", false, false),
				}),
				"valid_to":   attribute.Time("CreateAccessRuleDto.valid_to", attribute.OptionalFixed),
				"remarks":    attribute.Text("CreateAccessRuleDto.remarks", attribute.OptionalFixed),
				"created_at": attribute.CreatedAt(),
			},
		}
	},
	ImportIDs: [][]string{{"deployment_id", "id"}},
	Create: func(ctx context.Context, api *client.Client, plan *accessRule) error {
		answer, err := client.CallSupervisor(ctx, api, plan.DeploymentID, supervisorapi.AccessRulesCreate(plan.DeploymentID.ValueInt64(), supervisorapi.CreateAccessRuleDto{
			Name: plan.Name.ValueString(), CidrBlocks: attribute.ListOf(plan.CidrBlocks), Remarks: attribute.Nullable(plan.Remarks), ValidTo: attribute.NullableTime(plan.ValidTo),
			Rules: supervisorapi.RuleFlagsDto{
				BrokerTcp: plan.Rules.BrokerTCP.ValueBoolPointer(), BrokerHttp: plan.Rules.BrokerHTTP.ValueBoolPointer(),
				BrokerWebsocket: plan.Rules.BrokerWebsocket.ValueBoolPointer(), BrokerUdp: plan.Rules.BrokerUDP.ValueBoolPointer(),
			},
		}))
		if err != nil {
			return err
		}
		plan.take(*answer.Body)
		return nil
	},
	Read: func(ctx context.Context, api *client.Client, state *accessRule) error {
		answer, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.AccessRulesList(state.DeploymentID.ValueInt64()))
		if err != nil {
			return err
		}
		view, err := client.Find(answer.Body, state.ID.ValueInt64(), func(one supervisorapi.AccessRuleView) int64 { return one.Id }, "access rule")
		if err != nil {
			return err
		}
		state.take(view)
		return nil
	},
	Delete: func(ctx context.Context, api *client.Client, state accessRule) error {
		_, err := client.CallSupervisor(ctx, api, state.DeploymentID, supervisorapi.AccessRulesDelete(state.DeploymentID.ValueInt64(), state.ID.ValueInt64()))
		return err
	},
})

func (r *accessRule) take(view supervisorapi.AccessRuleView) {
	r.ID = types.Int64Value(view.Id)
	r.Name = types.StringValue(view.Name)
	r.CidrBlocks = attribute.SetOf(view.CidrBlocks, r.CidrBlocks)
	r.Rules = &ruleFlags{
		BrokerTCP: types.BoolValue(view.Rules.BrokerTcp), BrokerHTTP: types.BoolValue(view.Rules.BrokerHttp),
		BrokerWebsocket: types.BoolValue(view.Rules.BrokerWebsocket), BrokerUDP: types.BoolValue(view.Rules.BrokerUdp),
	}
	r.ValidTo = attribute.TimeOf(view.ValidTo, r.ValidTo)
	r.Remarks = attribute.TextOf(view.Remarks, r.Remarks)
	r.CreatedAt = types.StringValue(view.CreatedAt)
}
