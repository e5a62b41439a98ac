package client

import "errors"

// Find returns the item of a list with this id. `what` names the kind of the item in the error, which is a NotFound.
func Find[Item any](list *[]Item, id int64, idOf func(Item) int64, what string) (Item, error) {
	var none Item
	if list == nil {
		return none, errors.New("the answer has no list")
	}
	for _, item := range *list {
		if idOf(item) == id {
			return item, nil
		}
	}
	return none, NotFound("there is no %s %d", what, id)
}
