package attribute

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"
)

// Nullable returns a member that is sent as null if the text is null. A PUT clears such a member.
func Nullable(value types.String) nullable.Nullable[string] {
	if value.IsNull() || value.IsUnknown() || value.ValueString() == "" {
		return nullable.NewNullNullable[string]()
	}
	return nullable.NewNullableWithValue(value.ValueString())
}

// NullableInt is the same for a number.
func NullableInt(value types.Int64) nullable.Nullable[int64] {
	if value.IsNull() || value.IsUnknown() {
		return nullable.NewNullNullable[int64]()
	}
	return nullable.NewNullableWithValue(value.ValueInt64())
}

// NullableTime is the same for a time.
func NullableTime(value timetypes.RFC3339) nullable.Nullable[string] {
	return Nullable(value.StringValue)
}

// StringOf reads a member that can be null.
func StringOf(member nullable.Nullable[string]) types.String {
	value, err := member.Get()
	if err != nil {
		return types.StringNull()
	}
	return types.StringValue(value)
}

// IntOf reads a number that can be null.
func IntOf(member nullable.Nullable[int64]) types.Int64 {
	value, err := member.Get()
	if err != nil {
		return types.Int64Null()
	}
	return types.Int64Value(value)
}

// TextOf reads a text that a person wrote. Null and the empty text mean the same: without a text, it keeps the spelling of before.
func TextOf(member nullable.Nullable[string], before types.String) types.String {
	read := StringOf(member)
	if read.ValueString() != "" {
		return read
	}
	if before.IsNull() || before.ValueString() != "" {
		return types.StringNull()
	}
	return before
}

// TimeOf reads a time that can be null.
func TimeOf(member nullable.Nullable[string], before timetypes.RFC3339) timetypes.RFC3339 {
	value, err := member.Get()
	if err != nil {
		return timetypes.NewRFC3339Null()
	}
	return SameTime(value, before)
}

// SameTime keeps the spelling of the time before if both are the same time.
func SameTime(value string, before timetypes.RFC3339) timetypes.RFC3339 {
	if sameTime.equal(value, before.ValueString()) {
		return before
	}
	read, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return timetypes.NewRFC3339Null()
	}
	return timetypes.NewRFC3339TimeValue(read)
}

// Known returns nil for a value that the server chooses.
func Known(value types.String) *string {
	if value.IsUnknown() {
		return nil
	}
	return value.ValueStringPointer()
}

// KnownBool is the same for true and false.
func KnownBool(value types.Bool) *bool {
	if value.IsUnknown() {
		return nil
	}
	return value.ValueBoolPointer()
}

// KnownInt is the same for a number.
func KnownInt(value types.Int64) *int {
	if value.IsUnknown() || value.IsNull() {
		return nil
	}
	number := int(value.ValueInt64())
	return &number
}

// ListOf reads the texts of a set. Null has none.
func ListOf(set types.Set) []string {
	found := []string{}
	if !set.IsNull() {
		set.ElementsAs(context.Background(), &found, false)
	}
	return found
}

// IDsOf reads the ids of a set. Nil: the set is null.
func IDsOf(set types.Set) *[]int64 {
	if set.IsNull() {
		return nil
	}
	found := []int64{}
	set.ElementsAs(context.Background(), &found, false)
	return &found
}

// SetOf makes a set of texts. An empty list is null if the set before was null, because both mean the same.
func SetOf(texts []string, before types.Set) types.Set {
	if len(texts) == 0 && before.IsNull() {
		return types.SetNull(types.StringType)
	}
	values := make([]attr.Value, len(texts))
	for index, text := range texts {
		values[index] = types.StringValue(text)
	}
	return types.SetValueMust(types.StringType, values)
}

// IDSetOf is the same for ids.
func IDSetOf(ids []int64, before types.Set) types.Set {
	if len(ids) == 0 && before.IsNull() {
		return types.SetNull(types.Int64Type)
	}
	values := make([]attr.Value, len(ids))
	for index, id := range ids {
		values[index] = types.Int64Value(id)
	}
	return types.SetValueMust(types.Int64Type, values)
}
