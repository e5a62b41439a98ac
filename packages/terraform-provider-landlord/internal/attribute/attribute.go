// Package attribute makes the attributes of schemas. Their texts and allowed values are those of the API descriptions: a place such as
// "CreateDivisionDto.name" names a member.
package attribute

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/landlord/terraform-provider-landlord/internal/api/texts"
)

// Kind says who sets an attribute, and what a change does.
type Kind int

const (
	// Required is set by the user and can change.
	Required Kind = iota
	// RequiredFixed is set by the user. Another value replaces the resource.
	RequiredFixed
	// Optional is set by the user or absent, and can change.
	Optional
	// OptionalFixed is set by the user or absent. Another value replaces the resource.
	OptionalFixed
	// Either is set by the user, otherwise by the server, and can change.
	Either
	// EitherFixed is set by the user, otherwise by the server. Another value replaces the resource.
	EitherFixed
	// Stable is set by the server once.
	Stable
	// Volatile is set by the server and can change at each update.
	Volatile
)

func (k Kind) required() bool { return k == Required || k == RequiredFixed }
func (k Kind) optional() bool { return k >= Optional && k <= EitherFixed }
func (k Kind) computed() bool { return k >= Either }
func (k Kind) kept() bool     { return k == Either || k == EitherFixed || k == Stable }

// modifiers are what a change of the value, or a plan without one, does to the resource.
func modifiers[M any](kind Kind, replace, replaceIfConfigured, keep func() M) []M {
	var made []M
	switch kind {
	case RequiredFixed, OptionalFixed:
		made = append(made, replace())
	case EitherFixed:
		made = append(made, replaceIfConfigured())
	}
	if kind.kept() {
		made = append(made, keep())
	}
	return made
}

const replaces = " Another value replaces the resource."

// described is the text of the API descriptions, with the allowed values, and with what another value does.
func described(place string, kind Kind) string {
	text := strings.TrimSuffix(texts.Of(place), ".") + "."
	if allowed := texts.Values(place); allowed != nil && kind != Stable && kind != Volatile {
		text += " One of `" + strings.Join(allowed, "`, `") + "`."
	}
	if kind == RequiredFixed || kind == OptionalFixed || kind == EitherFixed {
		text += replaces
	}
	return text
}

// ID is the id that the server gives.
func ID(place string) schema.Int64Attribute { return Int(place, Stable) }

// String is a text. A member with fixed values refuses others in the plan.
func String(place string, kind Kind, more ...validator.String) schema.StringAttribute {
	made := schema.StringAttribute{
		MarkdownDescription: described(place, kind), Required: kind.required(), Optional: kind.optional(), Computed: kind.computed(), Validators: more,
	}
	if allowed := texts.Values(place); allowed != nil && (kind.required() || kind.optional()) {
		made.Validators = append(made.Validators, stringvalidator.OneOf(allowed...))
	}
	made.PlanModifiers = modifiers(kind, stringplanmodifier.RequiresReplace, stringplanmodifier.RequiresReplaceIfConfigured, stringplanmodifier.UseStateForUnknown)
	return made
}

// Address is an e-mail address.
func Address(place string, kind Kind) schema.StringAttribute {
	made := String(place, kind)
	made.PlanModifiers = append([]planmodifier.String{sameAddress}, made.PlanModifiers...)
	return made
}

// Text is a text that a person writes, or leaves out. Null and the empty text are equal, so neither replaces the other.
func Text(place string, kind Kind) schema.StringAttribute {
	made := String(place, kind, trimmed{orEmpty: true})
	if kind == OptionalFixed {
		made.PlanModifiers = []planmodifier.String{stringplanmodifier.RequiresReplaceIf(isOtherText, "Another text replaces the resource.", "Another text replaces the resource.")}
	}
	return made
}

func isOtherText(_ context.Context, request planmodifier.StringRequest, response *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	response.RequiresReplace = request.PlanValue.IsUnknown() || request.PlanValue.ValueString() != request.StateValue.ValueString()
}

// Int is a whole number, such as an id.
func Int(place string, kind Kind, more ...validator.Int64) schema.Int64Attribute {
	made := schema.Int64Attribute{
		MarkdownDescription: described(place, kind), Required: kind.required(), Optional: kind.optional(), Computed: kind.computed(), Validators: more,
	}
	made.PlanModifiers = modifiers(kind, int64planmodifier.RequiresReplace, int64planmodifier.RequiresReplaceIfConfigured, int64planmodifier.UseStateForUnknown)
	return made
}

// Float is a number.
func Float(place string, kind Kind) schema.Float64Attribute {
	made := schema.Float64Attribute{
		MarkdownDescription: described(place, kind), Required: kind.required(), Optional: kind.optional(), Computed: kind.computed(),
	}
	made.PlanModifiers = modifiers(kind, float64planmodifier.RequiresReplace, float64planmodifier.RequiresReplaceIfConfigured, float64planmodifier.UseStateForUnknown)
	return made
}

// Bool is true or false.
func Bool(place string, kind Kind) schema.BoolAttribute {
	made := schema.BoolAttribute{
		MarkdownDescription: described(place, kind), Required: kind.required(), Optional: kind.optional(), Computed: kind.computed(),
	}
	made.PlanModifiers = modifiers(kind, boolplanmodifier.RequiresReplace, boolplanmodifier.RequiresReplaceIfConfigured, boolplanmodifier.UseStateForUnknown)
	return made
}

// Flag is a Bool with a default, so that an absent attribute returns to it.
func Flag(place string, isDefault, isFixed bool) schema.BoolAttribute {
	made := Bool(place, Optional)
	made.Computed = true
	made.Default = booldefault.StaticBool(isDefault)
	if isFixed {
		made.MarkdownDescription += replaces
		made.PlanModifiers = []planmodifier.Bool{boolplanmodifier.RequiresReplace()}
	}
	return made
}

// WithDefault is a String with a default, so that an absent attribute returns to it.
func WithDefault(place, value string, isFixed bool, more ...validator.String) schema.StringAttribute {
	made := String(place, Optional, more...)
	made.Computed = true
	made.Default = stringdefault.StaticString(value)
	if isFixed {
		made.MarkdownDescription += replaces
		made.PlanModifiers = []planmodifier.String{stringplanmodifier.RequiresReplace()}
	}
	return made
}

// Time is a time of RFC 3339. Two spellings of the same time are equal.
func Time(place string, kind Kind) schema.StringAttribute {
	made := String(place, kind)
	made.CustomType = timetypes.RFC3339Type{}
	made.PlanModifiers = append([]planmodifier.String{sameTime}, made.PlanModifiers...)
	return made
}

// JSON is a text of JSON. Two spellings of the same value are equal.
func JSON(text string, kind Kind) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: text, CustomType: jsontypes.NormalizedType{},
		Required: kind.required(), Optional: kind.optional(), Computed: kind.computed(), PlanModifiers: []planmodifier.String{sameJSON},
	}
}

// SecretJSON is an object of JSON with secrets. The type of JSON would write the whole text into errors and into logs.
func SecretJSON(text string, kind Kind) schema.StringAttribute {
	made := JSON(text, kind)
	made.CustomType = nil
	made.Validators = []validator.String{jsonObject{}}
	return Secret(made)
}

// Texts is a set of texts.
func Texts(place string, kind Kind, more ...validator.Set) schema.SetAttribute {
	made := schema.SetAttribute{
		MarkdownDescription: described(place, kind), ElementType: types.StringType, Required: kind.required(), Optional: kind.optional(),
		Computed: kind.computed(), Validators: more,
	}
	made.PlanModifiers = modifiers(kind, setplanmodifier.RequiresReplace, setplanmodifier.RequiresReplaceIfConfigured, setplanmodifier.UseStateForUnknown)
	return made
}

// IDs is a set of ids.
func IDs(place string, kind Kind) schema.SetAttribute {
	made := Texts(place, kind)
	made.ElementType = types.Int64Type
	return made
}

// Object has attributes of its own.
func Object(place string, kind Kind, members map[string]schema.Attribute) schema.SingleNestedAttribute {
	made := schema.SingleNestedAttribute{
		MarkdownDescription: described(place, kind), Attributes: members, Required: kind.required(), Optional: kind.optional(), Computed: kind.computed(),
	}
	made.PlanModifiers = modifiers(kind, objectplanmodifier.RequiresReplace, objectplanmodifier.RequiresReplaceIfConfigured, objectplanmodifier.UseStateForUnknown)
	return made
}

// Secret marks a text as sensitive.
func Secret(made schema.StringAttribute) schema.StringAttribute {
	made.Sensitive = true
	return made
}

// CreatedAt is the time of the creation.
func CreatedAt() schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "Time of the creation.", Computed: true,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

// RotateTrigger has no meaning for the API: another value asks for another secret.
func RotateTrigger() schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "Any text. Another text than before rotates the secret. So does the first text after an import, because the API does not show the text.", Optional: true,
	}
}
