// The program of an image process: it handles one job after the other. Only here is the image library loaded, so that a hostile image
// can cost this process its time and memory but not the service, which kills it.

import type { ImageJob, ImageResult } from './image-jobs.js';
import { measureBytes, RefusedImage, transformImage } from './transform-image.js';

process.on('message', (job: ImageJob) => {
  void carryOut(job).then((result) => process.send?.(result));
});
// The service has ended.
process.on('disconnect', () => process.exit());

async function carryOut(job: ImageJob): Promise<ImageResult> {
  try {
    return job.kind === 'measure'
      ? { kind: 'measured', ...(await measureBytes(job.bytes)) }
      : { kind: 'transformed', bytes: await transformImage(job.bytes, job.wanted, job.format) };
  } catch (error) {
    return { kind: 'refused', reason: error instanceof RefusedImage ? error.message : 'The image cannot be read.' };
  }
}
