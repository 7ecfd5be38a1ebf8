/**
 * The layout engine is WebAssembly that is made ready while its module is loaded. In the build a module cannot wait, so
 * that this promise is replaced by the engine's own (scripts/build.mjs).
 */
export const layoutReady: Promise<void> = Promise.resolve()
