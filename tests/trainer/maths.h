// The three functions of the C library that a GPT needs, written out. glibc picks another exp on a CPU with
// fused multiply-add than on one without, and a last bit that differs in step 1 is a loss that differs in
// step 30. These use IEEE additions, multiplications and divisions only, so every machine gets the same bits.
#pragma once

namespace tinygpt {

// Return e^x within 2e-15 of it, relatively; 0 below -708 and infinity above 709.
double exp_of(double x);

// Return the natural logarithm of a positive, normal x, within 1e-15 absolutely plus 1e-15 relatively.
double log_of(double x);

// Return the hyperbolic tangent of x, within 1e-15 absolutely.
double tanh_of(double x);

}  // namespace tinygpt
