// Plans by shape: the same question with other values is the same statement. Bounded; the least recently used goes first. Keys hold
// the schema's version and the caller's grants, so a plan can never outlive what it was made from.

export class PlanCache<Plan> {
  readonly #plans = new Map<string, Plan>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#plans.size;
  }

  get(key: string): Plan | undefined {
    const plan = this.#plans.get(key);
    if (plan === undefined) return undefined;
    if (this.#plans.size > this.#capacity / 2) {
      this.#plans.delete(key);
      this.#plans.set(key, plan);
    }
    return plan;
  }

  set(key: string, plan: Plan): void {
    this.#plans.set(key, plan);
    if (this.#plans.size <= this.#capacity) return;
    const oldest = this.#plans.keys().next();
    if (!oldest.done) this.#plans.delete(oldest.value);
  }

  clear(): void {
    this.#plans.clear();
  }
}
