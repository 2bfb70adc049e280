// The parts of dates and times that functions such as `year(published)` ask for.

export type DatePart = 'year' | 'month' | 'week' | 'day' | 'weekday' | 'hour' | 'minute' | 'second';
