// Starts what files need: storages, the turnstile of images, the guards in the engine.

import { availableParallelism } from 'node:os';
import type { Hooks } from '../../core/engine/hooks.js';
import type { FilesContext } from './files-context.js';
import { guardFiles } from './guard-files.js';
import { makeTurnstile } from './turnstile.js';

const longestLine = 200;

export function openFiles(hooks: Hooks, given: Omit<FilesContext, 'imageTurns' | 'pending'>): FilesContext {
  const context: FilesContext = {
    ...given,
    imageTurns: makeTurnstile(Math.max(1, availableParallelism() - 1), longestLine),
    pending: new WeakMap(),
  };
  guardFiles(hooks, context);
  return context;
}
