/** Health of a process. */
export class HealthView {
  /** `ok`. */
  status: string;
}
