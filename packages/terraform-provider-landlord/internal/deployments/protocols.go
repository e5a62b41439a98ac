package deployments

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
	"github.com/oapi-codegen/nullable"
)

var (
	textsType         = types.SetType{ElemType: types.StringType}
	refusedTopicsType = map[string]attr.Type{"contains": textsType, "begins_with": textsType}
	protocolsType     = map[string]attr.Type{
		"mqtt": textsType, "qos": types.SetType{ElemType: types.Int64Type}, "shared_subscriptions": types.BoolType,
		"refused_topics": types.ObjectType{AttrTypes: refusedTopicsType}, "iggy": types.StringType,
	}
)

// protocolsAttribute is volatile: another release of the broker can do more.
func protocolsAttribute() schema.SingleNestedAttribute {
	return attribute.Object("DeploymentView.protocols", attribute.Volatile, map[string]schema.Attribute{
		"mqtt":                 attribute.Texts("ProtocolsView.mqtt", attribute.Volatile),
		"qos":                  attribute.IDs("ProtocolsView.qos", attribute.Volatile),
		"shared_subscriptions": attribute.Bool("ProtocolsView.shared_subscriptions", attribute.Volatile),
		"refused_topics": attribute.Object("ProtocolsView.refused_topics", attribute.Volatile, map[string]schema.Attribute{
			"contains":    attribute.Texts("RefusedTopicsView.contains", attribute.Volatile),
			"begins_with": attribute.Texts("RefusedTopicsView.begins_with", attribute.Volatile),
		}),
		"iggy": attribute.String("ProtocolsView.iggy", attribute.Volatile),
	})
}

func protocolsObject(view nullable.Nullable[mainapi.ProtocolsView]) types.Object {
	protocols, err := view.Get()
	if err != nil {
		return types.ObjectNull(protocolsType)
	}
	return types.ObjectValueMust(protocolsType, map[string]attr.Value{
		"mqtt": setOf(protocols.Mqtt), "qos": setOf(protocols.Qos),
		"shared_subscriptions": types.BoolValue(protocols.SharedSubscriptions),
		"refused_topics": types.ObjectValueMust(refusedTopicsType, map[string]attr.Value{
			"contains": setOf(protocols.RefusedTopics.Contains), "begins_with": setOf(protocols.RefusedTopics.BeginsWith),
		}),
		"iggy": attribute.StringOf(protocols.Iggy),
	})
}

func setOf[T string | int](values []T) types.Set {
	var element attr.Type = types.StringType
	if _, isNumber := any(values).([]int); isNumber {
		element = types.Int64Type
	}
	set, _ := types.SetValueFrom(context.Background(), element, values)
	return set
}
