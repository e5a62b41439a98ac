import type { Landlord } from '@landlord/sdk';
import { queryOptions } from '@tanstack/react-query';
import { landlordOf } from './client.js';
import { keepPrevious } from './keep-previous.js';

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group & keyof Landlord : never;
type MethodOf<Name> = Name extends `${infer Group}.${infer Method}`
  ? Group extends keyof Landlord
    ? Method extends keyof Landlord[Group]
      ? Landlord[Group][Method]
      : never
    : never
  : never;
type NamesOf<Group> = Group extends keyof Landlord
  ? Landlord[Group] extends (...given: never[]) => unknown
    ? never
    : `${Group & string}.${keyof Landlord[Group] & string}`
  : never;
/** A method of the SDK that reads: `channels.list`. */
export type ReadName = NamesOf<keyof Landlord>;
export type InputOf<Name extends ReadName> =
  MethodOf<Name> extends (input: infer One, ...rest: never[]) => unknown ? NonNullable<One> : never;
export type AnswerOf<Name extends ReadName> =
  MethodOf<Name> extends (...given: never[]) => infer Answer ? Awaited<Answer> : never;

/**
 * A read of the API, by the name of its method. What is known stays on the screen while another page of a list comes. An error is that of
 * the screen, which cannot do without the answer.
 */
export const neededQuery = <Name extends ReadName>(tenantId: number, name: Name, input: InputOf<Name>) =>
  queryOptions({
    queryKey: ['tenant', tenantId, name, input],
    queryFn: async (): Promise<AnswerOf<Name>> => {
      const [group, method] = name.split('.') as [GroupOf<Name>, string];
      const methods = landlordOf(tenantId)[group] as unknown as Record<
        string,
        (given: unknown) => PromiseLike<AnswerOf<Name>>
      >;
      return await (methods[method] as (given: unknown) => PromiseLike<AnswerOf<Name>>)(input);
    },
    placeholderData: keepPrevious(tenantId, name, input),
  });

/** The same for a part of a screen, such as what a Supervisor answers. Without it the rest still works, and the screen shows the error. */
export const readQuery = <Name extends ReadName>(tenantId: number, name: Name, input: InputOf<Name>) => ({
  ...neededQuery(tenantId, name, input),
  throwOnError: false,
});
