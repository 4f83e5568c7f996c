"""A hundred answers of the kinds that competition problems have, written for these tests."""

GOLDS = (
    "2", "-7", "0", "10,\\!080", "58,500", "1,000,000", r"\frac{1}{2}", r"-\frac{3}{7}", r"\dfrac{5}{12}",
    r"\frac{11+9a}{20}", r"\frac{\sqrt{3}}{3}", r"\frac{1+\sqrt{5}}{2}", r"\sqrt{17}", r"2\sqrt{13}", r"\sqrt[3]{4}",
    r"3\sqrt[4]{2}", r"\pi", r"16\pi", r"\frac{9\pi}{4}", r"36\pi\sqrt{2}", "0.25", ".375", "3.1416", r"4.5\%",
    r"20\%", r"90^\circ", r"45^{\circ}", r"\$32,\!348", r"\$18.90", "6r^2-4r-24", "x^2+2x+1", "(x+3)(x-3)",
    r"x^{4} - 2 x^{3} + x - 1", "-2x+7", "2k+2", "4a^2b", r"\frac{x+2}{7}", r"\frac{1}{x^2-1}", r"(3,-1)",
    r"\left(3,\frac{\pi}{2}\right)", r"\left( -\frac{3}{2}, \frac{11}{2} \right)", "(1,2,3)", "(0,0),(6,6)",
    "[0,1)", r"(-\infty,2]", r"[-2,-1)\cup(3,\infty)", r"(-\infty,-3)\cup(-3,3)\cup(3,\infty)", r"x\in[-2,7]",
    r"\{1,2,3\}", r"\left\{-1, \frac{1}{2}\right\}", "1,-2", "3, 5, 7", r"1 \pm \sqrt{19}", r"\pm 2i", "1+274i",
    r"6-5i", r"e^{i\pi/4}", r"2e^{\pi i/3}", r"\text{(C)}", r"\textbf{(B)}", r"\text{even}", r"\text{Evelyn}",
    r"\text{parabola}", r"\text{no solution}", "E", "x=5", "y = 2x + 3", r"x \le 4", r"-2 < x < 6", "x+y=7",
    r"y^2 - 2y + 4 \ge 0", "11111_2", "2516_8", "4210_5", "AB_{16}", "12\\text{ cm}", r"5\text{ cm}^2",
    r"60\text{ miles per hour}", r"3\frac{1}{2}", r"137 \frac{1}{2}", r"2^{10}", "10^{-3}", r"3 \cdot 10^{8}",
    r"6.02 \times 10^{23}", r"\log_2 3", r"\ln 2", r"\sin x", r"\cos^2\theta", r"\tan^{-1} 3", r"\arctan\frac{1}{2}",
    r"\binom{10}{3}", "7!", r"|x-3|", r"\lfloor x \rfloor", r"\begin{pmatrix} 1 \\ -\frac{1}{3} \end{pmatrix}",
    r"\begin{pmatrix} 0 & -1 \\ 1 & 0 \end{pmatrix}", r"\begin{bmatrix} 2 \\ 5 \\ 1 \end{bmatrix}", r"\emptyset",
    r"\infty", r"\mathbb{R}", r"\frac{\pi}{3}, \frac{2\pi}{3}", "f(x)=2x", r"f^{-1}(x) = \frac{x-1}{2}", "3:2",
    r"0.\overline{36}", "a_1+a_2", r"\overline{AB}", r"\mathbf{i}+2\mathbf{j}", r"\int_0^1 x\,dx",
    r"n \equiv 3 \pmod{7}",
    r"\text{Monday, Tuesday}", r"p - q", r"\frac{270}7\text{ degrees}", "10:30", r"\left(\frac12,\frac12\right)",
)  # fmt: skip
