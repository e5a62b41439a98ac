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

type trimmed struct{ orEmpty bool }

func (v trimmed) Description(context.Context) string {
	if v.orEmpty {
		return "without spaces at an end"
	}
	return "neither empty nor with spaces at an end"
}
func (v trimmed) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v trimmed) ValidateString(_ context.Context, request validator.StringRequest, response *validator.StringResponse) {
	value := request.ConfigValue
	if value.IsNull() || value.IsUnknown() {
		return
	}
	if value.ValueString() == "" && v.orEmpty {
		return
	}
	if value.ValueString() == "" || strings.TrimSpace(value.ValueString()) != value.ValueString() {
		response.Diagnostics.AddAttributeError(request.Path, "The text has spaces at an end, or is empty", "Landlord stores the text without these spaces. Leave an empty text out.")
	}
}

// Network refuses what is no IPv4 network, and every spelling of one that the server refuses or changes.
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
	if err != nil || !unmapped(prefix).Addr().Is4() {
		response.Diagnostics.AddAttributeError(request.Path, "The text is not an IPv4 network", "Write for example 10.0.0.0/16.")
		return
	}
	refuseOtherSpelling(unmapped(prefix), request, response)
}

// AddressOrNetwork refuses spellings of an address, or of a network, that the server refuses or changes.
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
	if prefix, err := netip.ParsePrefix(value.ValueString()); err == nil {
		refuseOtherSpelling(unmapped(prefix), request, response)
		return
	}
	address, err := netip.ParseAddr(value.ValueString())
	if err != nil || address.Zone() != "" {
		response.Diagnostics.AddAttributeError(request.Path, "The text is neither an address nor a network", "Write for example 203.0.113.7 or 203.0.113.0/24.")
	} else if spelled := address.Unmap().String(); spelled != value.ValueString() {
		response.Diagnostics.AddAttributeError(request.Path, "Landlord spells the address in another way", "Write "+spelled+".")
	}
}

func refuseOtherSpelling(prefix netip.Prefix, request validator.StringRequest, response *validator.StringResponse) {
	network := prefix.Masked()
	switch {
	case network != prefix:
		address := prefix.Addr().Unmap()
		host := netip.PrefixFrom(address, address.BitLen())
		response.Diagnostics.AddAttributeError(request.Path, "The network has bits of hosts", "Did you mean "+host.String()+" or "+network.String()+"?")
	case network.String() != request.ConfigValue.ValueString():
		response.Diagnostics.AddAttributeError(request.Path, "Landlord spells the network in another way", "Write "+network.String()+".")
	}
}

const mappedBits = 96

// unmapped is the IPv4 network of a network that is mapped into IPv6.
func unmapped(prefix netip.Prefix) netip.Prefix {
	if !prefix.Addr().Is4In6() || prefix.Bits() < mappedBits {
		return prefix
	}
	return netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-mappedBits)
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
		response.Diagnostics.AddAttributeError(request.Path, "The text is not a JSON object", "Use jsonencode with an object.")
	}
}
