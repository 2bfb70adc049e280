// The scale of a chart: round values that a person can read, and which of many labels have room. Pure, imports no framework.

/** From at most zero to at least the largest value, in about `count` round steps. */
export function roundScale(values: readonly number[], count = 4): readonly number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return [0, 1];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let tick = Math.floor(low / step); tick * step < high + step && ticks.length < 50; tick += 1) ticks.push(tidy(tick * step));
  return ticks.at(-2) !== undefined && (ticks.at(-2) as number) >= high ? ticks.slice(0, -1) : ticks;
}

/** Without the digits that adding fractions leaves behind. */
const tidy = (value: number): number => Number(value.toPrecision(12));

/** Places of labels, evenly spread, with at least `room` between them. */
export function labelPlaces(count: number, width: number, room: number): readonly number[] {
  const most = Math.max(1, Math.floor(width / room));
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
