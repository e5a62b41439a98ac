package texts

import "fmt"

// Of returns the description of a member, such as "CreateDivisionDto.name".
func Of(place string) string {
	text, ok := descriptions[place]
	if !ok {
		panic(fmt.Sprintf("the API descriptions say nothing about %s", place))
	}
	return text
}

// Values returns the allowed values of a member. Nil: the member has no fixed values.
func Values(place string) []string {
	return values[place]
}
