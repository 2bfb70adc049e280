import { playSuites } from './play-suites.js';

playSuites('postgres');
