package organization

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/mainapi"
	"github.com/landlord/terraform-provider-landlord/internal/attribute"
)

type permissions struct {
	Tenant      types.Set                      `tfsdk:"tenant"`
	Division    types.Set                      `tfsdk:"division"`
	Environment types.Set                      `tfsdk:"environment"`
	Divisions   map[string]divisionPermissions `tfsdk:"divisions"`
}

type divisionPermissions struct {
	Permissions  types.Set            `tfsdk:"permissions"`
	Environment  types.Set            `tfsdk:"environment"`
	Environments map[string]types.Set `tfsdk:"environments"`
}

// permissionsAttribute has the groups of permissions. The keys of `divisions` and `environments` are ids.
func permissionsAttribute(place string, kind attribute.Kind) schema.SingleNestedAttribute {
	const group = "CreateRoleDto.permissions"
	return attribute.Object(place, kind, map[string]schema.Attribute{
		"tenant":      attribute.Texts(group+".tenant", attribute.Optional),
		"division":    attribute.Texts(group+".division", attribute.Optional),
		"environment": attribute.Texts(group+".environment", attribute.Optional),
		"divisions": schema.MapNestedAttribute{
			MarkdownDescription: "Reach exactly these divisions. The keys are ids of divisions.",
			Optional:            true,
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"permissions": schema.SetAttribute{MarkdownDescription: "Reach this division.", ElementType: types.StringType, Optional: true},
				"environment": schema.SetAttribute{MarkdownDescription: "Reach every environment of this division.", ElementType: types.StringType, Optional: true},
				"environments": schema.MapAttribute{
					MarkdownDescription: "Reach exactly these environments of this division. The keys are ids of environments.",
					ElementType:         types.SetType{ElemType: types.StringType}, Optional: true,
				},
			}},
		},
	})
}

func (p *permissions) sent() mainapi.Permissions {
	sent := mainapi.Permissions{Tenant: listed(p.Tenant), Division: listed(p.Division), Environment: listed(p.Environment)}
	if p.Divisions == nil {
		return sent
	}
	type member = struct {
		Environment  *[]string            `json:"environment,omitempty"`
		Environments *map[string][]string `json:"environments,omitempty"`
		Permissions  *[]string            `json:"permissions,omitempty"`
	}
	divisions := map[string]member{}
	for id, one := range p.Divisions {
		of := member{Permissions: listed(one.Permissions), Environment: listed(one.Environment)}
		if one.Environments != nil {
			environments := map[string][]string{}
			for environment, granted := range one.Environments {
				environments[environment] = attribute.ListOf(granted)
			}
			of.Environments = &environments
		}
		divisions[id] = of
	}
	sent.Divisions = &divisions
	return sent
}

func listed(set types.Set) *[]string {
	if set.IsNull() {
		return nil
	}
	list := attribute.ListOf(set)
	return &list
}

// permissionsOf reads the permissions of a record. Groups that are absent before and empty now stay absent.
func permissionsOf(view mainapi.Permissions, before *permissions) *permissions {
	if before == nil {
		before = &permissions{}
	}
	found := &permissions{
		Tenant: setOf(view.Tenant, before.Tenant), Division: setOf(view.Division, before.Division), Environment: setOf(view.Environment, before.Environment),
	}
	if view.Divisions == nil || len(*view.Divisions) == 0 && before.Divisions == nil {
		return found
	}
	found.Divisions = map[string]divisionPermissions{}
	for id, one := range *view.Divisions {
		was := before.Divisions[id]
		of := divisionPermissions{Permissions: setOf(one.Permissions, was.Permissions), Environment: setOf(one.Environment, was.Environment)}
		if one.Environments != nil && (len(*one.Environments) > 0 || was.Environments != nil) {
			of.Environments = map[string]types.Set{}
			for environment, granted := range *one.Environments {
				of.Environments[environment] = attribute.SetOf(granted, was.Environments[environment])
			}
		}
		found.Divisions[id] = of
	}
	return found
}

func setOf(list *[]string, before types.Set) types.Set {
	if list == nil {
		list = &[]string{}
	}
	return attribute.SetOf(*list, before)
}
