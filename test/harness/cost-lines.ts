// What each test file took, longest first, and each project as a whole: where the time of a run goes.

import type { TestModule } from 'vitest/node';

const shown = 40;

export function costLines(modules: readonly TestModule[]): readonly string[] {
  const files = modules.map((module) => ({ name: module.relativeModuleId, project: module.project.name, ms: costOf(module) }));
  const longest = files.toSorted((one, other) => other.ms - one.ms).slice(0, shown);
  const projects = [...new Set(files.map(({ project }) => project))].map((project) => {
    const own = files.filter((file) => file.project === project);
    return row(sum(own), `${project}, ${own.length} files`);
  });
  return ['Seconds of tests and hooks by file:', ...longest.map(({ ms, name }) => row(ms, name)), 'Seconds by project:', ...projects];
}

function costOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
}

const sum = (files: readonly { readonly ms: number }[]): number => files.reduce((total, { ms }) => total + ms, 0);

const row = (ms: number, name: string): string => `${(ms / 1000).toFixed(1).padStart(8)}  ${name}`;
