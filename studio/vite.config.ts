// Builds Studio into dist/studio of the repository. Addresses are relative, so that the same files work below any path. `vite` alone serves
// the sources for development and passes API requests on to a service on port 8055.

import { defineConfig } from 'vite';

const service = process.env['TAIN_URL'] ?? 'http://127.0.0.1:8055';

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
      output: { experimentalMinChunkSize: 3000 },
      // Libraries mark their modules for servers that render components; a browser bundle has no use for it.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  server: { proxy: { '^/(?!admin)': service } },
}));
