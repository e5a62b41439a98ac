/** `provider_unavailable`: the provider cannot do it now. `quota`: the provider refuses until a person raises a limit. */
export type CloudErrorCode = 'provider_unavailable' | 'quota';

/** A failure of a cloud driver. `message` is for the operator and the deployment's `status_reason`. */
export class CloudError extends Error {
  override readonly name = 'CloudError';

  constructor(
    readonly code: CloudErrorCode,
    message: string,
    /** True when a retry may succeed without an action of a person. */
    readonly retryable: boolean = code === 'provider_unavailable',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
