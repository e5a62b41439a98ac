/** `provider_unavailable`: the provider cannot do it now. `quota`: it will not do it until someone raises a limit. */
export type CloudErrorCode = 'provider_unavailable' | 'quota';

/** What a cloud driver fails with. `message` is for the operator and the deployment's `status_reason`. */
export class CloudError extends Error {
  override readonly name = 'CloudError';

  constructor(
    readonly code: CloudErrorCode,
    message: string,
    /** True when the same call may succeed later without anyone doing something. */
    readonly retryable: boolean = code === 'provider_unavailable',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
