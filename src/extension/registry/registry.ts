/** Components of others: a bundle of its own, which most windows never load (scripts/bundles.mts). */
export { addRegistry } from './add-registry.ts';
export { browseComponents } from './browse.ts';
export { ejectComponent, reviewComponent, updateComponent } from './review.ts';
export { VersionStatusLenses } from './version-status-lenses.ts';
