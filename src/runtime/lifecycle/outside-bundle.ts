import type { Components } from '../components/deployment.ts';

/**
 * Builds and starts code, and does both once more when what kept the code from loading is a package
 * that cannot live in a bundle: the second build leaves it outside.
 */
export async function orOutsideBundle<T>(
  components: Pick<Components, 'worksOutsideBundle'>,
  buildAndStart: () => Promise<T>,
): Promise<T> {
  try {
    return await buildAndStart();
  } catch (error) {
    if (!components.worksOutsideBundle(error)) throw error;
    return buildAndStart();
  }
}
