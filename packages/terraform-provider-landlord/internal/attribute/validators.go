package attribute

import (
	"context"
	"encoding/json"
	"net/netip"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Trimmed refuses spaces around a text, which the server removes.
func Trimmed() validator.String { return trimmed{} }

type trimmed struct{}

func (trimmed) Description(context.Context) string               { return "neither empty nor with spaces at an end" }
func (v trimmed) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (trimmed) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	value := request.ConfigValue
	if value.IsNull() || value.IsUnknown() {
		return
	}
	if value.ValueString() == "" || strings.TrimSpace(value.ValueString()) != value.ValueString() {
		response.Diagnostics.AddAttributeError(request.Path, "The text has spaces at an end, or is empty", "Landlord stores the text without these spaces. Leave an empty text out.")
	}
}

// Network refuses networks whose address is not their first one, because the server clears the other bits.
func Network() validator.String { return network{} }

type network struct{}

func (network) Description(context.Context) string               { return "an IPv4 network such as 10.0.0.0/16" }
func (v network) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (network) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	value := request.ConfigValue
	if value.IsNull() || value.IsUnknown() {
		return
	}
	prefix, err := netip.ParsePrefix(value.ValueString())
	if err != nil {
		response.Diagnostics.AddAttributeError(request.Path, "The text is no network", err.Error())
	} else if prefix.Masked() != prefix {
		response.Diagnostics.AddAttributeError(request.Path, "The address is not the first one of the network", "Write "+prefix.Masked().String()+".")
	}
}

// AddressOrNetwork refuses spellings of an address, or of a network, that the server changes.
func AddressOrNetwork() validator.String { return addressOrNetwork{} }

type addressOrNetwork struct{}

func (addressOrNetwork) Description(context.Context) string {
	return "an address or a network in the shortest spelling"
}
func (v addressOrNetwork) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (addressOrNetwork) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	value := request.ConfigValue
	if value.IsNull() || value.IsUnknown() {
		return
	}
	spelled := ""
	if prefix, err := netip.ParsePrefix(value.ValueString()); err == nil {
		spelled = prefix.Masked().String()
	} else if address, err := netip.ParseAddr(value.ValueString()); err == nil {
		spelled = address.Unmap().String()
	}
	switch spelled {
	case value.ValueString():
	case "":
		response.Diagnostics.AddAttributeError(request.Path, "The text is no address and no network", "Write for example 203.0.113.7 or 203.0.113.0/24.")
	default:
		response.Diagnostics.AddAttributeError(request.Path, "Landlord spells the address in another way", "Write "+spelled+".")
	}
}

// jsonObject refuses what is no object of JSON. The error does not show the text, because the text can be a secret.
type jsonObject struct{}

func (jsonObject) Description(context.Context) string               { return "an object of JSON" }
func (v jsonObject) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (jsonObject) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	value := request.ConfigValue
	if value.IsNull() || value.IsUnknown() {
		return
	}
	var found map[string]any
	if json.Unmarshal([]byte(value.ValueString()), &found) != nil || found == nil {
		response.Diagnostics.AddAttributeError(request.Path, "The text is no object of JSON", "Use jsonencode with an object.")
	}
}
