// Package network has the resources of private networking: peerings, endpoint services and service attachments.
package network

// importIDs name a part of a deployment.
var importIDs = [][]string{{"deployment_id", "id"}}
