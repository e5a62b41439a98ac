import { ApiExtension } from '@nestjs/swagger';

/** How clients show a resource in a list, and how people name it. */
export interface ResourceDescription<View> {
  /** The member by which requests name the resource, such as `role_id`. Left out: no request names one. */
  id?: `${string}_id`;
  /** The member by which people name the resource. Left out: only its id is unique. */
  namedBy?: keyof View & string;
  /** The members that a list shows, in the order of their importance. */
  columns: readonly (keyof View & string)[];
}

/**
 * Describes the resource of a list for the clients: the extension `x-resource` of its schema. The generators of the clients make tables,
 * names instead of ids and the completion of the shell from it. A view that extends this one has the same description.
 */
export const Resource =
  <View>({ id, namedBy, columns }: ResourceDescription<NoInfer<View>>) =>
  (view: abstract new (...input: never[]) => View): void => {
    ApiExtension('x-resource', {
      ...(id !== undefined && { id }),
      ...(namedBy !== undefined && { named_by: namedBy }),
      columns: [...columns],
    })(view);
  };
