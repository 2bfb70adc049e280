// Builds Studio into dist/studio of the repository. Addresses are relative, so that the same files work below any path. `vite` alone serves
// the sources for development and passes API requests on to a service on port 8055.

import { defineConfig } from 'vite';

const service = process.env['TAIN_URL'] ?? 'http://127.0.0.1:8055';

/** Each room of each language is a file of its own, however small: nobody loads the texts of another language. */
function chunkOf(id: string): string | undefined {
  const [, language, name = ''] = /\/src\/text\/(\w+)\/([\w-]+)\.ts$/.exec(id) ?? [];
  if (language === undefined) return isOfEvery(id) ? 'text' : undefined;
  return isRoom(name) ? `text-${language}-${name}` : `text-${language}`;
}

/** What each language imports would go with the first of them, and everybody would load English: counts, and what loads parts lazily. */
const isOfEvery = (id: string): boolean => /vite\/preload-helper|\/src\/text\/grouped\.ts$/.test(id);

/** What is no room is part of the texts that every screen needs. */
const isRoom = (name: string): boolean =>
  !['index', 'main', 'command', 'files', 'forms', 'home', 'list', 'session', 'words'].includes(name);

export default defineConfig(({ command }) => ({
  base: command === 'build' ? './' : '/admin/',
  esbuild: { jsx: 'automatic' },
  // GraphiQL needs an older React in the root of the workspace: Studio and the packages it uses share the one of this folder.
  resolve: { dedupe: ['react', 'react-dom'] },
  build: {
    outDir: '../dist/studio',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 400,
    rollupOptions: {
      // What several lazy parts share would be a file each, however small.
      output: { experimentalMinChunkSize: 4000, manualChunks: chunkOf },
      // Libraries mark their modules for servers that render components; a browser bundle has no use for it.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  server: { proxy: { '^/(?!admin)': service } },
}));
